import { useState } from 'react';

/** The state of a selection in progress. */
export interface PersonaSelection {
  /** The selected persona: the one requested last, until the server rejects it. */
  chosenId: string | null;
  /** What failed last: setting a persona, or clearing it. */
  failed: 'set' | 'clear' | null;
  choose(id: string | null): void;
}

/**
 * Runs selections one at a time. Arrow keys select at every step, so of the selections made during a request only the
 * last is sent.
 * @param set returns whether it succeeded
 */
export function createPersonaSelector(
  set: (id: string | null) => Promise<boolean>,
  show: (state: { wanted: string | null | undefined; failed: 'set' | 'clear' | null }) => void,
): (id: string | null) => Promise<void> {
  let wanted: string | null | undefined;
  let isRunning = false;
  return async (id) => {
    wanted = id;
    show({ wanted, failed: null });
    if (isRunning) return;
    isRunning = true;
    let failed: 'set' | 'clear' | null = null;
    while (wanted !== undefined) {
      const next: string | null = wanted;
      wanted = undefined;
      const done = await set(next);
      failed = done ? null : next === null ? 'clear' : 'set';
    }
    isRunning = false;
    show({ wanted: undefined, failed });
  };
}

/**
 * Selects the persona of a conversation.
 * @param currentId the conversation's current persona
 */
export function usePersonaSelection(
  currentId: string | null,
  set: (id: string | null) => Promise<boolean>,
): PersonaSelection {
  const [{ wanted, failed }, show] = useState<{
    wanted: string | null | undefined;
    failed: 'set' | 'clear' | null;
  }>({ wanted: undefined, failed: null });
  const [selectPersona] = useState(() => createPersonaSelector(set, show));
  return {
    chosenId: wanted === undefined ? currentId : wanted,
    failed,
    choose: (id) => void selectPersona(id),
  };
}
