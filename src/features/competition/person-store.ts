import { type SQL, sql } from 'drizzle-orm';

/**
 * Who an account is, as a person, where people are counted: the same for all addresses that are told to lead to one mailbox,
 * such as `me+1@…` and `me+2@…`, and `m.e@gmail.com`. Signing in goes by the address as it is; this is kept nowhere.
 * @param users the name that a statement has for the table
 */
export function buildPersonKey(users: string): SQL<string> {
  const email = `${users}.email`;
  const local = `substr(${email}, 1, instr(${email}, '@') - 1)`;
  const bare = `case when instr(${local}, '+') > 1 then substr(${local}, 1, instr(${local}, '+') - 1) else ${local} end`;
  return sql.raw(`case when ${email} is null then ${users}.id
    when ${email} like '%@gmail.com' or ${email} like '%@googlemail.com' then replace(${bare}, '.', '') || '@gmail.com'
    else ${bare} || substr(${email}, instr(${email}, '@')) end`) as SQL<string>;
}
