import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL key that identifies a person when people are counted: equal for all addresses that are assumed to lead to one
 * mailbox, such as `me+1@…` and `me+2@…`, and `m.e@gmail.com`. Signing in uses the address as it is, and the key is not
 * stored.
 * @param users the alias of the table in the statement
 */
export function buildPersonKey(users: string): SQL<string> {
  const email = `${users}.email`;
  const local = `substr(${email}, 1, instr(${email}, '@') - 1)`;
  const bare = `case when instr(${local}, '+') > 1 then substr(${local}, 1, instr(${local}, '+') - 1) else ${local} end`;
  return sql.raw(`case when ${email} is null then ${users}.id
    when ${email} like '%@gmail.com' or ${email} like '%@googlemail.com' then replace(${bare}, '.', '') || '@gmail.com'
    else ${bare} || substr(${email}, instr(${email}, '@')) end`) as SQL<string>;
}
