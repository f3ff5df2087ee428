/** Of the engines, only Chromium's pages have `performance.memory`. */
export const isChromium = 'memory' in performance;
