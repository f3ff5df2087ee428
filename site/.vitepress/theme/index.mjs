import DefaultTheme from 'vitepress/theme-without-fonts';
import FrontPage from './front-page.vue';
import './style.css';

/** VitePress's theme in the demo's colors, with a front page. */
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('FrontPage', FrontPage);
  },
};
