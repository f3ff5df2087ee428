import type { LaneWindow } from '../lane.ts';
import { DescribedError } from '../errors/describe-error.ts';
import { ConnectionError } from '../payloads/load-blob.ts';
import type { Contender, ContenderAbout } from './contender.ts';

const ADDRESS = 'lane.html';

interface LanePage {
  frame: HTMLIFrameElement;
  window: LaneWindow;
}

/**
 * A contender with a page of its own, a frame that nobody sees: no code of it has run there, no worker is started. It
 * has the main thread of the page around it, which therefore stands still as long as the frame does.
 */
export function createFramedContender(about: ContenderAbout): Contender {
  let lane: LanePage | undefined;

  function release(): void {
    lane?.frame.remove();
    lane = undefined;
  }

  async function page(): Promise<LaneWindow> {
    lane ??= await openLane(about);
    return lane.window;
  }

  return {
    ...about,
    release,
    async renew() {
      release();
      await page();
    },
    prepare: async () => (await page()).lane.ways[about.id].prepare(),
    load: async (payload) => (await page()).lane.load(payload),
    async decode(request) {
      const { lane: own, performance: clock } = await page();
      try {
        const decoded = await own.ways[about.id].decode(request);
        // Each page counts from its own beginning.
        return { ...decoded, started: decoded.started + clock.timeOrigin - performance.timeOrigin };
      } catch (error) {
        request.signal.throwIfAborted();
        // An error of another page is no instance of this one's classes.
        throw new DescribedError(own.describeError(error, about.title));
      }
    },
  };
}

async function openLane({ id, title }: ContenderAbout): Promise<LanePage> {
  const frame = document.createElement('iframe');
  frame.className = 'visually-hidden';
  frame.title = `The page of ${title}`;
  frame.inert = true;
  frame.ariaHidden = 'true';
  frame.dataset['lane'] = id;
  frame.src = ADDRESS;
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
    document.body.append(frame);
  });
  const own = windowOf(frame);
  if (own) return { frame, window: own };
  frame.remove();
  throw new ConnectionError(new URL(ADDRESS, location.href).href);
}

/** The frame's window; undefined where the browser shows an error in the place of the page. */
function windowOf({ contentWindow, contentDocument }: HTMLIFrameElement): LaneWindow | undefined {
  return contentDocument && contentWindow && 'lane' in contentWindow ? (contentWindow as LaneWindow) : undefined;
}
