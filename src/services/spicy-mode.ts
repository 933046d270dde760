import type { Environment } from '../env/read-environment.ts';

/** The code for a person who does not see characters for adults. */
export const getSpicyModeCode = ({ spicyMode }: Environment): 'spicy_mode_unavailable' | 'spicy_mode_off' =>
  spicyMode === 'off' ? 'spicy_mode_unavailable' : 'spicy_mode_off';
