import type { LaneWindow } from '../lane.ts';
import { DescribedError } from '../errors/describe-error.ts';
import { ConnectionError } from '../payloads/load-blob.ts';
import type { Contender, ContenderAbout } from './contender.ts';

const ADDRESS = 'lane.html';

/** A page of its own, in a hidden frame, which starts cold. It shares the main thread of the demo. */
export interface LanePage {
  frame: HTMLIFrameElement;
  window: LaneWindow;
}

/**
 * Creates a contender with its own page in a hidden frame, which starts cold. The frame shares the main thread of the demo,
 * so that a blocked frame blocks the demo.
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
        // Each page has its own time origin.
        return { ...decoded, started: decoded.started + clock.timeOrigin - performance.timeOrigin };
      } catch (error) {
        request.signal.throwIfAborted();
        // Errors of another page are no instances of this page's classes.
        throw new DescribedError(own.describeError(error, about.title));
      }
    },
  };
}

/** Opens a lane's page. Remove its frame when it is no longer needed. */
export async function openLane({ id, title }: { id: string; title: string }): Promise<LanePage> {
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

/** The frame's window; undefined if the browser shows an error page. */
function windowOf({ contentWindow, contentDocument }: HTMLIFrameElement): LaneWindow | undefined {
  return contentDocument && contentWindow && 'lane' in contentWindow ? (contentWindow as LaneWindow) : undefined;
}
