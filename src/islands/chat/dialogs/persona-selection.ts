import { useState } from 'react';

/** A choice under way: what is wanted, and what could not be done. */
export interface PersonaSelection {
  /** The one that shows as chosen: what was asked for last, until the server has said otherwise. */
  chosenId: string | null;
  /** What failed last: choosing a persona, or clearing it. */
  failed: 'set' | 'clear' | null;
  choose(id: string | null): void;
}

/**
 * Carries choices out one after the other. Who moves through the list by arrow keys chooses at every step: of what was
 * asked for while another choice was under way, only the last is carried out.
 * @param set answers whether it was done
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

/** The choice of a persona in a chat. @param currentId the one that the conversation has */
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
