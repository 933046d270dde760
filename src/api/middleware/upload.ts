import type { Context } from 'hono';
import { BODY_DEADLINE } from '../../config/body-limits.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { STORAGE, UPLOAD } from '../../features/storage/limits.ts';
import { createId } from '../../lib/ids.ts';
import { releaseStorage } from '../../features/storage/storage-store.ts';
import { refuseUploadAboveLimit, reserveUpload } from '../../services/storage/reserve-storage.ts';
import { buildUploadKey, type UploadedFile, UploadParts } from '../../services/storage/upload-parts.ts';
import { type ApiEnv, toServiceContext } from './context.ts';
import { type FormLimits, parseBoundary, readForm } from './multipart.ts';
import { Problem, throwRefused } from './problems.ts';

/** A form whose file may be larger than what is held in memory. */
export interface ReceivedForm {
  fields: Record<string, string>;
  /** Null when it is missing. */
  file: UploadedFile | null;
}

/** When each running upload of a user last received something, in ms. Of one isolate, which is what memory belongs to. */
const running = new Map<string, Set<{ activeAt: number }>>();

/** An upload whose client went away may never end here, so one that has been silent for too long does not count. */
const isAlive = ({ activeAt }: { activeAt: number }): boolean =>
  Date.now() - activeAt < BODY_DEADLINE.idleMs * 2;

function takeSlot(userId: string): { activeAt: number } | null {
  const slots = new Set([...(running.get(userId) ?? [])].filter(isAlive));
  const slot = { activeAt: Date.now() };
  const isFree = slots.size < STORAGE.maxUploadsAtOnce;
  if (isFree) slots.add(slot);
  running.set(userId, slots);
  return isFree ? slot : null;
}

function releaseSlot(userId: string, slot: { activeAt: number }): void {
  const slots = running.get(userId);
  slots?.delete(slot);
  if (slots?.size === 0) running.delete(userId);
}

/**
 * Waits for one of the user's two slots: files that are sent together take their turns. It asks again and again, because a
 * request cannot be woken by another one.
 * @throws Problem `too_many_uploads` when none gets free soon
 */
async function waitForSlot(userId: string): Promise<{ activeAt: number }> {
  const endsAt = Date.now() + UPLOAD.maxWaitMs;
  for (;;) {
    const slot = takeSlot(userId);
    if (slot !== null) return slot;
    if (Date.now() >= endsAt)
      throw new Problem('too_many_uploads', { limit: STORAGE.maxUploadsAtOnce }, UPLOAD.retryAfterSeconds);
    await new Promise((resolve) => setTimeout(resolve, UPLOAD.pollMs));
  }
}

/**
 * Receives a form with a file. Refuses users who store as much as they may and those with too many uploads at once before
 * anything is read. What exceeds a few megabytes waits in R2, so that unfinished uploads cannot fill a Worker's memory.
 * @param createMissingProblem the refusal of a request without a body
 * @param use works with the form; its file is gone afterwards
 * @throws Problem
 */
export function receiveForm<T>(
  c: Context<ApiEnv>,
  user: SessionUser,
  { createMissingProblem, ...limits }: FormLimits & { createMissingProblem: () => Problem },
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const work = (async () => {
    const { body } = c.req.raw;
    const type = c.req.header('content-type');
    if (body === null || type === undefined) throw createMissingProblem();
    const boundary = parseBoundary(type);
    if (boundary === null) throw new Problem('invalid_input');
    throwRefused(await refuseUploadAboveLimit(c.get('db'), user));
    const slot = await waitForSlot(user.id);
    try {
      return await receiveIntoParts(c, user, { body, boundary, limits, slot }, use);
    } finally {
      releaseSlot(user.id, slot);
    }
  })();
  // The clean-up runs also when the client goes away.
  c.executionCtx.waitUntil(work.then(undefined, () => undefined));
  return work;
}

async function receiveIntoParts<T>(
  c: Context<ApiEnv>,
  user: SessionUser,
  {
    body,
    boundary,
    limits,
    slot,
  }: { body: ReadableStream<Uint8Array>; boundary: string; limits: FormLimits; slot: { activeAt: number } },
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const id = createId(Date.now());
  const context = toServiceContext(c);
  let isReserved = false;
  const reserve = async (bytes: number) => {
    if (isReserved) return;
    throwRefused(await reserveUpload(context.db, user, { id, bytes, now: Date.now() }));
    isReserved = true;
  };
  const parts = new UploadParts(
    c.env.MEDIA,
    (number) => buildUploadKey(id, number),
    () => reserve(limits.maxFileBytes),
  );
  try {
    const declared = Number(c.req.header('content-length') ?? 0);
    if (declared > UPLOAD.maxHeldBytes) await reserve(Math.min(declared, limits.maxFileBytes));
    const read = await readForm(body, boundary, limits, {
      deadline: BODY_DEADLINE,
      onPiece: () => {
        slot.activeAt = Date.now();
      },
      maxHeldBytes: UPLOAD.maxHeldBytes,
      store: (blocks) => parts.add(blocks),
    });
    if (!read.ok) throw new Problem(read.code);
    const { file: rest, fields } = read.form;
    const file = rest === null ? null : await parts.close(rest);
    // What the file becomes reserves its own room.
    if (isReserved) await releaseStorage(context.db, id);
    isReserved = false;
    return await use({ fields, file });
  } finally {
    await parts.remove();
    if (isReserved) await releaseStorage(context.db, id);
  }
}
