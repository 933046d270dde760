import { shuffle } from './random.mjs';

/** @typedef {{kind: 'act' | 'say', text: string, speaker?: string}} Block narration or speech */

const PART = /\*[^*]+\*|"[^"]+"|「[^」]+」/g;

/** Returns the order of narration and speech in a text, such as "act say act". */
const readShape = (text) =>
  [...text.replaceAll(/\*\*[^*]+\*\*/g, '').matchAll(PART)]
    .map(([part]) => (part.startsWith('*') ? 'act' : 'say'))
    .join(' ');

function joinNeighbours(blocks, gap) {
  const joined = /** @type {Block[]} */ ([]);
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.kind === block.kind && last.speaker === block.speaker) last.text += gap + block.text;
    else joined.push({ ...block });
  }
  return joined;
}

/** Picks a random frame, a list of blocks, whose shape differs from that of the last reply. */
export function chooseFrame(frames, lastReply, random) {
  const lastShape = readShape(lastReply);
  const order = shuffle(
    random,
    frames.map((frame) => frame.filter(({ text }) => text !== '')),
  );
  const getShape = (frame) =>
    joinNeighbours(frame, ' ')
      .map(({ kind }) => kind)
      .join(' ');
  return order.find((frame) => getShape(frame) !== lastShape) ?? order[0];
}

/**
 * Writes blocks in the product's notation: *narration* and speech in the language's quotation marks.
 * @param {Block[]} blocks
 * @param {import('./languages.mjs').Language} language
 * @returns {string}
 */
export function formatBlocks(blocks, { speech: [open, close], gap }) {
  const parts = joinNeighbours(
    blocks.filter(({ text }) => text !== ''),
    gap,
  );
  return parts
    .map(({ kind, text, speaker }, i) => {
      const line = open === '「' ? text.replace(/。$/, '') : text;
      const spoken = `${speaker ? `**${speaker}:** ` : ''}${open}${line}${close}`;
      // Narration before speech leads into it; every other block starts a paragraph.
      const leads = kind === 'say' && !speaker && parts[i - 1]?.kind === 'act';
      return `${i === 0 ? '' : leads ? ' ' : '\n\n'}${kind === 'act' ? `*${text}*` : spoken}`;
    })
    .join('');
}
