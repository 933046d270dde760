import {
  type CharacterUpdateResult,
  closeFeeAttempt,
  type PayFee,
  updateCharacter,
} from '../features/character/character-change-store.ts';
import type { PointsStatus } from '../features/wallet/contract.ts';
import { logFailure } from '../lib/log.ts';
import type { ServiceContext } from './context.ts';

/*
 * An imported character costs nothing while it is private. Its first publication costs the points of creating one.
 * Database and wallet share no transaction, so each attempt to pay has a number, which the character's row holds. The
 * change that publishes the character checks this number and removes it. When the change fails after the payment, the
 * number is raised first, so that no other request can publish the character with the attempt that is then refunded.
 */

type CharacterUpdate = Omit<Parameters<typeof updateCharacter>[1], 'payFee'>;
type UpdateRefusal = Exclude<(CharacterUpdateResult & { ok: false })['code'], 'points_exhausted'>;

/** The wallet's id of an attempt to pay: the character's own for the first one. */
const getPurchaseId = (characterId: string, attempt: number): string =>
  attempt === 0 ? characterId : `${characterId}:${attempt}`;

/**
 * Changes a character and charges for its first publication if that is due: both happen or neither.
 * @returns the user's points when there are too few
 */
export async function updateAndCharge(
  { db, env }: Pick<ServiceContext, 'db' | 'env'>,
  update: CharacterUpdate,
): Promise<
  | { ok: true }
  | { ok: false; code: UpdateRefusal }
  | { ok: false; code: 'points_exhausted'; points: PointsStatus }
> {
  const { id, creatorId } = update;
  const wallet = env.WALLETS.get(env.WALLETS.idFromName(creatorId));
  const payment = { attempt: null as number | null, missing: null as PointsStatus | null };
  const payFee: PayFee = async (attempt) => {
    // The refund of the attempt before may have failed after it was closed.
    if (attempt > 0) await wallet.refundCharacter(getPurchaseId(id, attempt - 1), 'publication');
    const paid = await wallet.payForCharacter(getPurchaseId(id, attempt), 'publication');
    if (paid.ok) {
      payment.attempt = attempt;
      return 'paid';
    }
    if (paid.code === 'payment_closed') return 'closed';
    payment.missing = paid.points;
    return paid.code;
  };
  const refund = async (): Promise<void> => {
    const { attempt } = payment;
    if (attempt !== null && (await closeFeeAttempt(db, { id, attempt })))
      await wallet.refundCharacter(getPurchaseId(id, attempt), 'publication');
  };
  let result: CharacterUpdateResult;
  try {
    result = await updateCharacter(db, { ...update, payFee });
  } catch (error) {
    // If this fails too, the points stay with the attempt, and the next request pays nothing.
    await refund().catch((failure: unknown) => logFailure('creation_deferred', failure));
    throw error;
  }
  if (result.ok) return result;
  await refund();
  const { code } = result;
  if (code !== 'points_exhausted') return { ok: false, code };
  if (payment.missing === null) throw new Error('the wallet did not say what is missing');
  return { ok: false, code, points: payment.missing };
}
