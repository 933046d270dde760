import { atom, type ReadableAtom } from 'nanostores';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import type { FormApi } from './form-api.ts';

/** What stands between a person and a new character. */
export interface PublishCostState {
  status: 'loading' | 'ready' | 'failed';
  /** What creating one costs, in points; null until it is known. */
  required: number | null;
  points: PointsStatus | null;
  /** Whether the points are there. */
  enough: boolean;
  /** The server's own words where this person may create none; empty when it had no words. Null: they may. */
  refusal: string | null;
}

export interface PublishCostStore {
  $cost: ReadableAtom<PublishCostState>;
  /** Asks for the permission, what it costs and what is there; of several calls the last one counts. */
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
