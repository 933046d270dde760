import type { Environment } from '../env/read-environment.ts';

/** Returns the problem code for a user who may not see adult content. */
export const getSpicyModeCode = ({ spicyMode }: Environment): 'spicy_mode_unavailable' | 'spicy_mode_off' =>
  spicyMode === 'off' ? 'spicy_mode_unavailable' : 'spicy_mode_off';
