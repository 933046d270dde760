/**
 * Where the messages stand that something was taken from: first and last position of each unbroken row. A position is
 * not given again while anything stands behind it; whoever keeps a ground looks at it when messages are erased, and
 * lets go what they leave without it.
 */
export type MessageRanges = readonly { first: number; last: number }[];

/** @param positions SQL of one column, `position`, that takes one binding */
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
 * Whether all messages of a ground are there.
 * @param there which messages count as being there, in SQL
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
