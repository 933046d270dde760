import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { useTranslate } from '../../shared/i18n.tsx';
import { ICON } from '../../shared/styles.ts';
import { getVersionPosition } from './available-actions.ts';
import { $laterMessagesNotice } from '../state/messages-state.ts';

const ONLY_VERSION = { at: 1, count: 1, before: null, after: null };

/** Switches between a message's versions: «‹ 2 / 3 ›». */
export function VersionSwitcher({
  message,
  reachable,
  isAlways = false,
  move,
}: {
  message: ViewMessage;
  /** Whether its buttons are in the tab order. */
  reachable: boolean;
  /** Also for a single version, so that nothing moves when the second one begins. */
  isAlways?: boolean;
  move: (step: -1 | 1) => void;
}) {
  const words = useTranslate('chat');
  const laterStay = useStore($laterMessagesNotice, { ssr: 'initial' }) === message.key;
  const place = getVersionPosition(message) ?? (isAlways ? ONLY_VERSION : null);
  if (!place) return null;
  const { at, count } = place;
  return (
    <Stepper
      label={words('versions')}
      at={at}
      count={count}
      said={words('versionAt', { at, count })}
      before={{ label: words('versionPrevious'), leads: place.before !== null }}
      after={{ label: words('versionNext'), leads: place.after !== null }}
      waits={message.status === 'streaming'}
      reachable={reachable}
      move={move}
    >
      <span role="status" className="not-empty:px-2">
        {laterStay ? words('laterKept') : null}
      </span>
    </Stepper>
  );
}

interface StepTarget {
  label: string;
  /** Whether there is a neighbour in this direction. */
  leads: boolean;
}

/** A position in a sequence, with buttons to its neighbours. Disabled buttons stay focusable. */
export function Stepper({
  label,
  at,
  count,
  said,
  before,
  after,
  waits,
  reachable,
  move,
  children,
}: {
  label: string;
  /** Starts at 1. */
  at: number;
  count: number;
  /** The position, as text for screen readers. */
  said: string;
  before: StepTarget;
  after: StepTarget;
  /** Disables both buttons. */
  waits: boolean;
  reachable: boolean;
  move: (step: -1 | 1) => void;
  children?: ReactNode;
}) {
  const step = (by: -1 | 1, to: StepTarget) => (
    <button
      type="button"
      aria-label={to.label}
      aria-disabled={!to.leads || waits}
      tabIndex={reachable ? 0 : -1}
      className={`${ICON} aria-disabled:cursor-default aria-disabled:opacity-40`}
      onClick={() => move(by)}
    >
      <span className={by === 1 ? 'rotate-180' : ''}>
        <Icon name="back" size={18} />
      </span>
    </button>
  );
  return (
    <div role="group" aria-label={label} className="-mx-2 flex items-center">
      {step(-1, before)}
      <span className="tabular-nums" aria-hidden="true">
        {at} / {count}
      </span>
      <span className="sr-only">{said}</span>
      {step(1, after)}
      {children}
    </div>
  );
}
