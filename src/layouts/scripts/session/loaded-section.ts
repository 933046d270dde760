import type { createTranslator } from '../../../islands/shared/translator.ts';
import { queryPart } from '../dom.ts';

export type Translate = ReturnType<typeof createTranslator>;

/** The parts of a section whose contents are loaded. */
export function querySection(name: string) {
  const section = queryPart(name);
  const [list, note] = [section.querySelector('ul'), section.querySelector('p')] as [
    HTMLElement,
    HTMLElement,
  ];
  return { section, list, note };
}

/** Shows a text, with a button to try again. */
export function showFailure(note: HTMLElement, text: string, translate: Translate, retry: () => void): void {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button', textContent: translate('retry') });
  button.addEventListener('click', () => {
    note.textContent = '';
    retry();
  });
  note.replaceChildren(text, ' ', button);
}
