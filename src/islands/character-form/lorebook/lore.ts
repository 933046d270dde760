import { characterForm } from '../character-form.ts';
import { createLore } from './lore-state.ts';

/** The lorebook of a page's form. */
export const lore = createLore(characterForm);
