const NO_SLOTS = new Int32Array(0);
const FIRST_SLOTS = 128;

/** A set of 32-bit hashes (0 and 1 count as one) with open addressing, several times faster than a `Set`. */
export class HashSet {
  /** 0 marks a free slot; at least half are free. Allocated with the first hash. */
  #slots = NO_SLOTS;
  #count = 0;

  clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
  }

  /** @returns whether the hash was new */
  add(hash: number): boolean {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const isNew = this.#insert(hash === 0 ? 1 : hash);
    if (isNew) this.#count += 1;
    return isNew;
  }

  #insert(hash: number): boolean {
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = (Math.imul(hash, 0x9e3779b1) >>> 8) & last;
    for (; slots[slot] !== 0; slot = (slot + 1) & last) if (slots[slot] === (hash | 0)) return false;
    slots[slot] = hash;
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(Math.max(FIRST_SLOTS, old.length * 2));
    for (const hash of old) if (hash !== 0) this.#insert(hash);
  }
}
