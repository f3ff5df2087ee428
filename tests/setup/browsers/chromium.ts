import { findChromium, type LaunchOptions } from '../../../scripts/browsers.mjs';

/**
 * Without a process for graphics: pages without a screen are painted by the processor, and on Linux a process of its own for that takes
 * a quarter more time.
 */
const ARGS = process.platform === 'linux' ? ['--disable-gpu', '--in-process-gpu'] : [];

/** How tests start Chromium, which `scripts/test.mjs` has made sure of. */
export function chromiumLaunch(): LaunchOptions & { args: string[] } {
  return { ...findChromium()!.launch, args: ARGS };
}
