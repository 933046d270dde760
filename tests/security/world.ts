import { buildOperationPath, type Operation } from '../support/openapi-operations.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  listMessages,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { createActiveSubscription } from '../support/paypal.ts';
import { applyModerationAction, createStaffUser } from '../support/staff.ts';

/** Everybody whom a route may meet, and what one of them owns. */
export interface World {
  roles: Record<Role, Visitor>;
  owner: Visitor;
  operator: Visitor;
  /** Public, made by the owner. */
  character: string;
  /** The owner's, with one exchange in it; nothing that is asked of it may end it. */
  story: Story;
}

export const ROLES = [
  'nobody',
  'forged',
  'ended',
  'guest',
  'account',
  'member',
  'suspended',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

/** A conversation after one exchange. */
export interface Story {
  id: string;
  /** The newest reply. */
  mid: string;
  /** What was said before it. */
  mine: string;
  [name: string]: string;
}

/** What whoever may call a route sends to it. */
export interface Use {
  ids?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  query?: string;
  /** What comes of it; 200, or whatever success the route knows, where it is left out. */
  status?: number;
}

async function forged(): Promise<Visitor> {
  const visitor = new Visitor();
  visitor.cookie = `__Host-session=${'a1'.repeat(32)}`;
  return visitor;
}

/** Somebody whose browser still has the cookie of a session that is over. */
async function ended(): Promise<Visitor> {
  const visitor = await createAccount();
  const { cookie } = visitor;
  await visitor.call('/api/logout', { method: 'POST' });
  visitor.cookie = cookie;
  return visitor;
}

export async function story(owner: Visitor, characterId: string): Promise<Story> {
  const id = await startConversation(owner, characterId);
  await sendMessage(owner, id, 'Something to keep.');
  const said = await listMessages(owner, id);
  return { id, mid: said.at(-1)?.id as string, mine: said.at(-2)?.id as string };
}

export async function newWorld(): Promise<World> {
  const [owner, operator, member, suspended] = await Promise.all([
    createAccount(),
    createStaffUser(),
    createAccount(),
    createAccount(),
  ]);
  await createActiveSubscription(member);
  // Who pays may have hundreds of personas: what is tried makes many.
  await createActiveSubscription(owner);
  await applyModerationAction(operator, { kind: 'account_suspended', subject_id: suspended.id });
  const characterId = await addCharacter({ creatorId: owner.id });
  return {
    owner,
    operator,
    character: characterId,
    story: await story(owner, characterId),
    roles: {
      nobody: new Visitor(),
      forged: await forged(),
      ended: await ended(),
      guest: await signInGuest(),
      account: await createAccount(),
      member,
      suspended,
      admin: operator,
    },
  };
}

/** Calls an operation as a use says; whatever cookie the answer brings, the caller goes on with the one they had. */
export async function callAs(
  visitor: Visitor,
  operation: Operation,
  { ids = {}, json, form, headers, query = '' }: Use,
  method = operation.method,
): Promise<Response> {
  const { cookie } = visitor;
  const answer = await visitor.call(`${buildOperationPath(operation, ids)}${query}`, {
    method,
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { body: form }),
    ...(headers === undefined ? {} : { headers }),
  });
  visitor.cookie = cookie;
  return answer;
}

/** A form with one file in it. */
export function formOf(file: BlobPart, fields: Record<string, string> = {}, name = 'file.bin'): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', new Blob([file]), name);
  return body;
}
