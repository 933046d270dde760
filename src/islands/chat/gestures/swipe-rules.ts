/** How far a finger has moved since it touched a reply, in pixels to the right and down. */
export interface SwipePath {
  dx: number;
  dy: number;
}

/** `undecided`: it may still become a scroll or a long press. `ended`: it is no swipe. */
export type SwipeState = 'undecided' | 'swiping' | 'ended';

/** To the next version or to the previous one. */
export type SwipeDirection = 'next' | 'previous';

/** Pixels after which a movement is a swipe or a scroll. A long press allows as many. */
const DECIDED_PX = 10;
/** How much further across than along a finger has to move. Scrolling wins in doubt. */
const MIN_SLANT = 1.5;
/** Pixels that a finger has to be away when it is lifted. */
const SWIPE_PX = 64;
/** Pixels that the text moves at most, and the finger's way after which it has made two thirds of them. */
const MAX_OFFSET_PX = 36;
const OFFSET_SCALE_PX = 72;
/** Pixels at the sides of the window in which a swipe belongs to the device: it goes back or switches apps. */
const EDGE_PX = 24;

/** Whether a swipe may start at this place of the window. */
export const isInsideEdges = (x: number, windowWidth: number): boolean =>
  x >= EDGE_PX && x <= windowWidth - EDGE_PX;

/** Returns the state after a movement. Once decided, it stays. */
export function trackSwipe(state: SwipeState, { dx, dy }: SwipePath): SwipeState {
  if (state !== 'undecided') return state;
  const [across, along] = [Math.abs(dx), Math.abs(dy)];
  if (Math.max(across, along) < DECIDED_PX) return 'undecided';
  return across >= MIN_SLANT * along ? 'swiping' : 'ended';
}

/** Returns where a swipe leads when the finger is lifted; null when it is too short, or has turned into a scroll. */
export function getSwipeDirection({ dx, dy }: SwipePath): SwipeDirection | null {
  if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return null;
  return dx < 0 ? 'next' : 'previous';
}

/** Returns how far the text follows the finger, in pixels: less and less, so that it never leaves its place. */
export const getSwipeOffset = (dx: number): number =>
  Math.sign(dx) * MAX_OFFSET_PX * (1 - Math.exp(-Math.abs(dx) / OFFSET_SCALE_PX));

/** What a swipe on the newest reply does. */
export type SwipeAction = 'stepForward' | 'stepBack' | 'regenerate' | 'wait' | 'nothing';

/** Decides what a swipe does. */
export function decideSwipe(
  direction: SwipeDirection,
  reply: {
    hasPrevious: boolean;
    hasNext: boolean;
    canRegenerate: boolean;
    /** No reply is being written in the conversation. */
    idle: boolean;
  },
): SwipeAction {
  if (!reply.idle) return 'wait';
  if (direction === 'previous') return reply.hasPrevious ? 'stepBack' : 'nothing';
  if (reply.hasNext) return 'stepForward';
  return reply.canRegenerate ? 'regenerate' : 'nothing';
}
