import { straighten } from './languages.mjs';
import { pick, shuffle } from './random.mjs';

/** A line may come back after this many replies; the product asks for no repetition within twenty. */
const REMEMBERED_REPLIES = 26;
const SLOT = /\{(\w+)\}/g;

const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const escape = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Picks lines that the conversation has not used, and fills their slots. */
export class Lines {
  #used;
  #random;
  /** @type {Record<string, string>} values by slot; a line with an empty slot is not used */
  slots;

  /** @param {{replies: string[], random: () => number, slots: Record<string, string>}} options `replies`: oldest first */
  constructor({ replies, random, slots }) {
    this.#used = replies.slice(-REMEMBERED_REPLIES).map(straighten).join('\n');
    this.#random = random;
    this.slots = slots;
  }

  /** Whether the conversation holds this line, with any words in its slots; Japanese speech ends without 。. */
  isUsed(line) {
    const parts = straighten(line).split(/\{\w+\}/);
    if (parts.length === 1)
      return this.#used.includes(parts[0]) || this.#used.includes(parts[0].replace(/。$/, '」'));
    const pattern = parts.map(escape).join('[^\\n]{1,90}?').replace(/。$/, '[。」]');
    return new RegExp(pattern, 'i').test(this.#used);
  }

  #getSlot(slot) {
    return this.slots[slot] ?? capitalize(this.slots[slot.toLowerCase()] ?? '');
  }

  /** Fills the slots of a line, {Fact} with a capital letter, and counts it as used. */
  fill(line) {
    const filled = line.replaceAll(SLOT, (_, slot) => this.#getSlot(slot));
    this.#used += `\n${straighten(filled)}`;
    return filled;
  }

  /**
   * Fills an unused line of the first list that has one.
   * @param {...string[]} lists
   * @returns {string} empty when all are used
   */
  take(...lists) {
    const canFill = (line) => [...line.matchAll(SLOT)].every(([, slot]) => this.#getSlot(slot) !== '');
    for (const list of lists) {
      const line = shuffle(this.#random, list).find((one) => canFill(one) && !this.isUsed(one));
      if (line !== undefined) return this.fill(line);
    }
    return '';
  }

  /** Like take, but repeats a line rather than staying silent. */
  takeAny(list) {
    return this.take(list) || this.fill(pick(this.#random, list));
  }
}
