// Data for objects of any age, as made-rows.mjs has it for D1: a story of so many messages, a wallet with as many turns,
// and the index of its words.
import { AT, at, id, some, text } from './made-values.mjs';

/**
 * @typedef {object} ObjectSize
 * @property {number} messages
 * @property {string} conversationId
 * @property {string} ownerId
 * @property {string} characterId
 * @typedef {{ name: string, rows: (size: ObjectSize) => number, columns: (size: ObjectSize) => Record<string, string> }} MadeObjectTable
 */

const quoted = (value) => `'${value.replaceAll("'", "''")}'`;
const once = () => 1;
/** Every second message is a reply; the first is what the character begins with. */
const isReply = 'i % 2 = 1';
const FAR = AT + 1e12;

/** @type {MadeObjectTable[]} */
export const CONVERSATION = [
  {
    name: 'meta',
    rows: once,
    columns: ({ messages, conversationId, ownerId, characterId }) => ({
      one: '1',
      id: quoted(conversationId),
      owner_id: quoted(ownerId),
      user_name: `'Anouk'`,
      character: `json_object('id', ${quoted(characterId)}, 'name', 'Mira', 'oneliner', 'Keeper of the lighthouse',
        'character_traits', 'Patient.', 'first_message', 'The lamp is lit.', 'model_type', 'roleplay',
        'point_of_view', 'normal', 'suggested_replies', json_array('Who are you?'), 'avatar_url', '/media/x.webp')`,
      title: `'The lamp'`,
      created_at: `${AT}`,
      updated_at: `${AT}`,
      index_dirty: '0',
      counted: '1',
      persona: `json_object('id', 'p', 'name', 'Anouk', 'description', 'A diver.')`,
      message_count: `${messages}`,
      context_start_id: id('m', 1),
      deleted_at: 'null',
      noticed_at: `${AT}`,
      answered: `${Math.floor((messages - 1) / 2)}`,
    }),
  },
  {
    name: 'messages',
    rows: ({ messages }) => messages,
    columns: ({ messages }) => ({
      position: 'i',
      id: id('m', 'i'),
      role: `case when ${isReply} then 'character' else 'user' end`,
      client_message_id: `case when not ${isReply} then ${id('t', 'i')} end`,
      edited: 'i % 40 = 4',
      selected_version_id: id('v', 'i'),
      created_at: at,
      name: some(50, `'Mira'`),
      pinned: 'i % 500 = 3',
      // The last one lies in the trash.
      trash_id: `case when i = ${messages} then ${id('x', 1)} end`,
      source: some(100, `json_object('from', 'elsewhere')`),
      notice: 'i % 60 = 1',
    }),
  },
  {
    name: 'versions',
    rows: ({ messages }) => messages,
    columns: () => ({
      id: id('v', 'i'),
      message_id: id('m', 'i'),
      // One in fifty of them in Hindi.
      content: `case when i % 50 = 2 then 'हिन्दी ' else '' end || ${text('and the lamp of the lighthouse went round', 100)}`,
      model: `case when ${isReply} then 'loreloom' end`,
      status: `'complete'`,
      error_code: 'null',
      created_at: at,
      edited: 'i % 40 = 4',
      template: some(200, `'Hello, {{user}}'`),
      crisis: some(5000, `json_object('kind', 'self_harm')`),
      rule: some(5000, `'minors'`),
    }),
  },
  {
    name: 'turns',
    rows: ({ messages }) => Math.floor((messages - 1) / 2),
    columns: ({ ownerId }) => ({
      id: id('t', 'i * 2'),
      user_message_id: `case when i % 20 > 0 then ${id('m', 'i * 2')} end`,
      reply_id: id('m', 'i * 2 + 1'),
      version_id: id('v', 'i * 2 + 1'),
      previous_version_id: `case when i % 20 = 0 then ${id('v', 'i * 2 + 1')} end`,
      payer_id: quoted(ownerId),
      ended: '1',
      error_code: some(100, `'provider_error'`),
      created_at: at,
      kind: `case when i % 20 = 0 then 'regenerate' else 'send' end`,
      base_length: 'i % 10',
      head: 'i % 30',
    }),
  },
  {
    name: 'settlements',
    rows: once,
    columns: ({ ownerId }) => ({
      version_id: id('v', 9),
      payer_id: quoted(ownerId),
      reply_id: id('m', 9),
      outcome: `'release'`,
      what: `'reply'`,
    }),
  },
  {
    name: 'referrals',
    rows: once,
    columns: () => ({ message_id: id('m', 2), day: '1', kind: `'self_harm'` }),
  },
  {
    name: 'trash',
    rows: once,
    columns: () => ({ id: id('x', 1), deleted_at: `${AT}`, expires_at: `${FAR}`, message_count: '1' }),
  },
  {
    name: 'memory_entries',
    rows: ({ messages }) => Math.ceil(messages / 50),
    columns: () => ({
      id: id('e', 'i'),
      text: `'They spoke of lamp ' || i`,
      author: `case i % 5 when 1 then 'person' else 'model' end`,
      position: 'i',
      stale: 'i % 7 = 1',
      removed: '0',
      created_at: at,
      updated_at: at,
    }),
  },
  {
    name: 'memory_sources',
    rows: ({ messages }) => Math.ceil(messages / 50),
    columns: () => ({ entry_id: id('e', 'i'), message_id: id('m', 'i'), version_id: id('v', 'i') }),
  },
  {
    name: 'contexts',
    rows: () => 5,
    columns: () => ({ version_id: id('v', 'i * 2 + 1'), made_at: at, body: `'{}'` }),
  },
  {
    name: 'asks',
    rows: () => 2,
    columns: () => ({ id: id('k', 'i'), kind: `'draft'`, body: `'{}'`, made_at: at }),
  },
  {
    name: 'memory_lines',
    rows: ({ messages }) => Math.ceil(messages / 100),
    columns: () => ({ mark: `'m' || i`, ground: `json_object('i', i)`, gone: 'i % 2' }),
  },
  {
    name: 'forks',
    rows: () => 2,
    columns: () => ({ client_id: id('f', 'i'), conversation_id: id('c', 'i') }),
  },
  { name: 'lore', rows: once, columns: () => ({ one: '1', book: `json_object('entries', json_array())` }) },
];

/** @type {MadeObjectTable[]} */
export const WALLET = [
  {
    name: 'balance',
    rows: once,
    columns: ({ messages }) => ({
      one: '1',
      current: '30',
      permanent: `${messages}`,
      refilled_at: `${FAR}`,
      day: '0',
      daily_used: '20',
      unlimited: '0',
      time_zone: `'Europe/Berlin'`,
    }),
  },
  {
    name: 'reservations',
    rows: ({ messages }) => messages,
    columns: () => ({
      id: id('v', 'i'),
      conversation_id: id('c', 'i % 9'),
      from_current: '1',
      from_permanent: '0',
      state: `case i % 9 when 0 then 'released' else 'settled' end`,
      at: `${FAR}`,
      unlimited: 'i % 3 = 0',
      tokens: 'i',
      micros: 'i',
    }),
  },
  {
    name: 'ledger',
    rows: ({ messages }) => messages,
    columns: () => ({
      id: id('l', 'i'),
      at,
      kind: `case i when 1 then 'opening' else 'gift' end`,
      reason: `'Points'`,
      amount: `case i when 1 then 31 else 1 end`,
      balance_after: 'i + 30',
      conversation_id: some(2, id('c', 'i % 9')),
      message_id: some(2, id('m', 'i')),
      about: id('v', 'i'),
    }),
  },
  { name: 'gifts', rows: ({ messages }) => messages, columns: () => ({ id: id('g', 'i'), at }) },
  {
    name: 'downloads',
    rows: () => 3,
    columns: () => ({ id: id('d', 'i'), begun_at: at, alive_at: at, ended: '1' }),
  },
  {
    name: 'purchases',
    rows: ({ messages }) => Math.ceil(messages / 10),
    columns: () => ({ id: id('c', 'i'), at, from_current: '1', from_permanent: '2', returned: 'i % 2' }),
  },
  { name: 'model_spend', rows: () => 30, columns: () => ({ day: 'i', tokens: 'i', micros: 'i' }) },
];

/** @type {MadeObjectTable[]} */
export const SEARCH = [
  {
    name: 'entries',
    rows: ({ messages }) => messages,
    columns: ({ conversationId }) => ({
      id: 'i',
      conversation_id: quoted(conversationId),
      message_id: id('m', 'i'),
      digest: 'i',
      told_at: at,
    }),
  },
  {
    name: 'words',
    rows: ({ messages }) => messages,
    columns: () => ({ rowid: 'i', line: `'the lamp of the lighthouse went round mile' || i` }),
  },
];
