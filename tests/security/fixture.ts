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

/** One user of each role, and the data of one owner. */
export interface Fixture {
  roles: Record<Role, Visitor>;
  owner: Visitor;
  operator: Visitor;
  /** Public; created by the owner. */
  character: string;
  /** Belongs to the owner, with one exchange; no test may delete it. */
  conversation: SampleConversation;
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
export interface SampleConversation {
  id: string;
  /** The newest reply. */
  mid: string;
  /** The user message before it. */
  mine: string;
  [name: string]: string;
}

/** A valid request of an authorized caller. */
export interface ExampleRequest {
  ids?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  query?: string;
  /** The expected status; without it, 200 or another success of the route. */
  status?: number;
}

async function createForged(): Promise<Visitor> {
  const visitor = new Visitor();
  visitor.cookie = `__Host-session=${'a1'.repeat(32)}`;
  return visitor;
}

/** Returns a visitor whose browser still has the cookie of an ended session. */
async function createEnded(): Promise<Visitor> {
  const visitor = await createAccount();
  const { cookie } = visitor;
  await visitor.call('/api/logout', { method: 'POST' });
  visitor.cookie = cookie;
  return visitor;
}

export async function createSampleConversation(
  owner: Visitor,
  characterId: string,
): Promise<SampleConversation> {
  const id = await startConversation(owner, characterId);
  await sendMessage(owner, id, 'Something to keep.');
  const messages = await listMessages(owner, id);
  return { id, mid: messages.at(-1)?.id as string, mine: messages.at(-2)?.id as string };
}

export async function createFixture(): Promise<Fixture> {
  const [owner, operator, member, suspended] = await Promise.all([
    createAccount(),
    createStaffUser(),
    createAccount(),
    createAccount(),
  ]);
  await createActiveSubscription(member);
  // Members may have hundreds of personas, and the tests create many.
  await createActiveSubscription(owner);
  await applyModerationAction(operator, { kind: 'account_suspended', subject_id: suspended.id });
  const characterId = await addCharacter({ creatorId: owner.id });
  return {
    owner,
    operator,
    character: characterId,
    conversation: await createSampleConversation(owner, characterId),
    roles: {
      nobody: new Visitor(),
      forged: await createForged(),
      ended: await createEnded(),
      guest: await signInGuest(),
      account: await createAccount(),
      member,
      suspended,
      admin: operator,
    },
  };
}

/** Calls an operation as the example says; the caller keeps its cookie and ignores a new one. */
export async function callAs(
  visitor: Visitor,
  operation: Operation,
  { ids = {}, json, form, headers, query = '' }: ExampleRequest,
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

/** Builds a form with one file. */
export function buildFileForm(
  file: BlobPart,
  fields: Record<string, string> = {},
  name = 'file.bin',
): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', new Blob([file]), name);
  return body;
}
