import type { CharacterState } from '../../features/conversation/contract.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { COLUMN } from './class-names.ts';

/** Stands where one writes, in a story that cannot go on, and says why. */
export function CharacterUnavailable({ because: reason }: { because: Exclude<CharacterState, 'shown'> }) {
  const errors = useTranslate('errors');
  return (
    <footer className="border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]">
      <p role="note" className={`${COLUMN} py-4`}>
        {errors(`character_${reason}`)}
      </p>
    </footer>
  );
}
