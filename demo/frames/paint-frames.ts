import { FRAME_GRID, frameHeight, layoutFrames, type Frame } from './frames.ts';
import type { Palette } from './palette.ts';

export interface FramePicture {
  frames: readonly Frame[];
  /** The time at the left and at the right edge, on the frames' clock. */
  from: number;
  to: number;
  /** Vertical lines at these times. */
  marks?: readonly number[];
  palette: Palette;
}

const LABEL_WIDTH = 52;

/** Draws frames as bars: the width is the duration, the height its logarithm. */
export function paintFrames(canvas: HTMLCanvasElement, { frames, from, to, marks = [], palette }: FramePicture): void {
  const context = fit(canvas);
  if (!context) return;
  const { clientWidth, clientHeight: height } = canvas;
  const width = Math.max(1, clientWidth - LABEL_WIDTH);
  context.clearRect(0, 0, clientWidth, height);
  paintGrid(context, palette, width, height);
  for (const bar of layoutFrames(frames, from, to, width, height - 1)) {
    context.fillStyle = palette[bar.level];
    context.fillRect(bar.x, height - bar.height, bar.width, bar.height);
  }
  context.fillStyle = palette.accent;
  for (const mark of marks) context.fillRect(Math.round(((mark - from) / (to - from)) * width), 0, 2, height);
}

function paintGrid(context: CanvasRenderingContext2D, palette: Palette, width: number, height: number): void {
  context.font = `11px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = 'middle';
  for (const ms of FRAME_GRID) {
    const y = Math.round(height - frameHeight(ms) * (height - 1));
    context.fillStyle = palette.line;
    context.fillRect(0, y, width, 1);
    context.fillStyle = palette.text;
    context.fillText(ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`, width + 6, y);
  }
}

/** Resizes the canvas to its pixels on the screen; undefined while it has no size. */
function fit(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  const density = devicePixelRatio;
  const width = Math.round(canvas.clientWidth * density);
  const height = Math.round(canvas.clientHeight * density);
  const context = canvas.getContext('2d');
  if (width === 0 || height === 0 || !context) return undefined;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  return context;
}
