/** The same moment of the next month in UTC; where that month is shorter, its last day. @param at in ms */
export function addMonth(at: number): number {
  const after = new Date(at);
  const day = after.getUTCDate();
  after.setUTCMonth(after.getUTCMonth() + 1);
  if (after.getUTCDate() !== day) after.setUTCDate(0);
  return after.getTime();
}
