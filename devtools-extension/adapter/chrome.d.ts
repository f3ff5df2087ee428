/** The parts of `chrome.devtools` that the panel uses (https://developer.chrome.com/docs/extensions/reference/api/devtools). */
declare namespace chrome.devtools {
  interface HarHeader {
    name: string;
    value: string;
  }

  interface HarEntry {
    startedDateTime: string;
    time: number;
    serverIPAddress?: string;
    connection?: string;
    timings?: Record<string, number | undefined>;
    request: {
      method: string;
      url: string;
      httpVersion?: string;
      headers: HarHeader[];
      postData?: { text?: string; mimeType: string };
    };
    response: {
      status: number;
      statusText: string;
      headers: HarHeader[];
      content: { size: number; mimeType: string };
      bodySize: number;
      _transferSize?: number;
      _error?: string | null;
      _fetchedViaServiceWorker?: boolean;
    };
    _resourceType?: string;
    _priority?: string | null;
    _initiator?: {
      type?: string;
      url?: string;
      lineNumber?: number;
      stack?: { callFrames?: { functionName: string; url: string; lineNumber: number }[] };
    } | null;
    _webSocketMessages?: { type: 'send' | 'receive'; time: number; opcode: number; data: string }[];
    _eventSourceMessages?: { time: number; eventName: string; eventId: string; data: string }[];
  }

  interface Request extends HarEntry {
    getContent(callback: (content?: string | null, encoding?: string) => void): void;
  }

  interface Listeners<Arguments extends unknown[]> {
    addListener(listener: (...values: Arguments) => void): void;
    removeListener(listener: (...values: Arguments) => void): void;
  }

  interface ExtensionPanel {
    onSearch?: Listeners<[action: string, text?: string]>;
    onShown: Listeners<[page: Window]>;
  }

  const network: {
    onRequestFinished: Listeners<[Request]>;
    onNavigated: Listeners<[string]>;
    getHAR(callback: (log?: { entries?: Request[] }) => void): void;
  };
  const panels: {
    readonly themeName: string;
    create(title: string, icon: string, page: string, created?: (panel: ExtensionPanel) => void): void;
    openResource(url: string, line: number): void;
    setThemeChangeHandler?(handler: (theme: string) => void): void;
  };
  interface Resource {
    url: string;
    /** Kind of resource, such as `script`; undocumented. */
    type?: string;
    getContent(callback: (content?: string | null, encoding?: string) => void): void;
  }

  const inspectedWindow: {
    getResources?(callback: (resources?: Resource[]) => void): void;
    eval<T>(expression: string, callback: (result?: T, problem?: { isException?: boolean; value?: string }) => void): void;
  };
}
