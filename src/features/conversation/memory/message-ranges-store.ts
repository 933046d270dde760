/**
 * Position ranges of the messages that a text was derived from, one per unbroken sequence. A position can be reused once
 * all messages from it on are erased, so stored ranges must be re-checked whenever messages are erased.
 */
export type MessageRanges = readonly { first: number; last: number }[];

/** Groups positions, in any order, into ranges. */
export function groupIntoRanges(positions: Iterable<number>): MessageRanges {
  const ranges: { first: number; last: number }[] = [];
  for (const position of [...new Set(positions)].toSorted((a, b) => a - b)) {
    const latest = ranges.at(-1);
    if (latest?.last === position - 1) latest.last = position;
    else ranges.push({ first: position, last: position });
  }
  return ranges;
}

/**
 * Whether all messages in the ranges exist.
 * @param there SQL condition for a message to count as existing
 */
export function hasAllMessages(
  sql: SqlStorage,
  ground: MessageRanges,
  there: 'trash_id is null' | 'true',
): boolean {
  return ground.every(({ first, last }) => {
    const { count } = sql
      .exec<{ count: number }>(
        `select count(*) as count from messages where position between ? and ? and ${there}`,
        first,
        last,
      )
      .one();
    return count === last - first + 1;
  });
}
