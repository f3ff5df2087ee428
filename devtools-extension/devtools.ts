chrome.devtools.panels.create('Unspool', '', 'panel.html');
