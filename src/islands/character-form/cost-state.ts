import { atom, type ReadableAtom } from 'nanostores';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import type { FormApi } from './form-api.ts';

/** Whether the user may create another character, and what it costs. */
export interface PublishCostState {
  status: 'loading' | 'ready' | 'failed';
  /** Points that creating a character costs; null until known. */
  required: number | null;
  points: PointsStatus | null;
  /** Whether the user has enough points. */
  enough: boolean;
  /** Why the user may not create a character, in the server's words (may be empty); null if they may. */
  refusal: string | null;
}

export interface PublishCostStore {
  $cost: ReadableAtom<PublishCostState>;
  /** Fetches permission, cost and points; of overlapping calls the latest one counts. */
  load(): Promise<void>;
}

export function createPublishCostStore(
  api: Pick<FormApi, 'mayCreate' | 'cost' | 'points'>,
): PublishCostStore {
  const $cost = atom<PublishCostState>({
    status: 'loading',
    required: null,
    points: null,
    enough: true,
    refusal: null,
  });
  let latest = 0;
  return {
    $cost,
    async load() {
      const call = ++latest;
      $cost.set({ ...$cost.get(), status: 'loading' });
      const [permission, cost, points] = await Promise.all([api.mayCreate(), api.cost(), api.points()]);
      if (call !== latest) return;
      const refused = permission.ok ? !permission.data.success : permission.status === 403;
      const message = permission.ok ? (permission.data.error_message ?? '') : permission.error;
      if (refused) return $cost.set({ ...$cost.get(), status: 'ready', refusal: message });
      if (!cost.ok || !points.ok) return $cost.set({ ...$cost.get(), status: 'failed', refusal: null });
      $cost.set({
        status: 'ready',
        required: cost.data.points_required,
        points: points.data,
        enough: cost.data.success,
        refusal: null,
      });
    },
  };
}
