import { characterForm } from '../character-form.ts';
import { createLorebookStore } from './lorebook-state.ts';

export const lorebookStore = createLorebookStore(characterForm);
