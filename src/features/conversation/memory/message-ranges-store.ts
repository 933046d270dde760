/**
 * Position ranges of the messages that a text was derived from, one per unbroken sequence. A position can be reused once
 * all messages from it on are erased, so stored ranges must be re-checked whenever messages are erased.
 */
export type MessageRanges = readonly { first: number; last: number }[];

/** Finds the ranges of some messages. @param positions SQL that selects one column, `position`, with one binding */
export function findMessageRanges(sql: SqlStorage, positions: string, binding: string): MessageRanges {
  return sql
    .exec<{ first: number; last: number }>(
      `select min(position) as first, max(position) as last from (
         select position, position - row_number() over (order by position) as row from (${positions})
       ) where position is not null group by row`,
      binding,
    )
    .toArray();
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
