/** Only Chromium has `performance.memory`. */
export const isChromium = 'memory' in performance;
