import type { CharacterState } from '../../features/conversation/contract.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { COLUMN } from './class-names.ts';
import { PinnedHelp } from './safety/MessageSafety.tsx';

/** Replaces the composer when the conversation cannot continue, and gives the reason. */
export function CharacterUnavailable({ because: reason }: { because: Exclude<CharacterState, 'shown'> }) {
  const errors = useTranslate('errors');
  return (
    <footer className="border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]">
      <div className={`${COLUMN} py-2`}>
        <PinnedHelp />
        <p role="note" className="py-2">
          {errors(`character_${reason}`)}
        </p>
      </div>
    </footer>
  );
}
