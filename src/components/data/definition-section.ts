import { detectTextLanguage } from '../../locales/text-language.ts';
import type { StoredDefinition } from '../../features/character/definition-parts.ts';
import { client, encodePathPart, readJson, type Result } from '../../islands/shared/api.ts';
import { readWithRetry } from '../../islands/shared/remote-state.ts';
import { presentLine } from './public-character.ts';

/** What the section shows; the page has a text for each step except `ready`. */
export type DefinitionStep =
  | 'ready'
  | 'empty'
  | 'sign_in'
  | 'network'
  | 'too_many_requests'
  | 'not_found'
  | 'server_error';

/** Returns the step that follows from the server's answer. */
export function getDefinitionStep(answer: Result<{ definition: StoredDefinition }>): DefinitionStep {
  if (answer.ok) return Object.keys(answer.data.definition).length === 0 ? 'empty' : 'ready';
  switch (answer.code) {
    case 'unauthenticated':
    case 'account_required':
      return 'sign_in';
    case 'network':
    case 'too_many_requests':
    case 'not_found':
      return answer.code;
    default:
      return 'server_error';
  }
}

/**
 * Loads the parts of a definition that the user may read and renders them into the section.
 * @returns the step to show
 */
export async function loadDefinition({ dataset, children }: HTMLElement): Promise<DefinitionStep> {
  const { definition: id = '', name = '', reader = '' } = dataset;
  const param = { id: encodePathPart(id) };
  const answer = await readWithRetry(() => readJson(client.characters[':id'].definition.$get({ param })));
  const parts: StoredDefinition = answer.ok ? answer.data.definition : {};
  for (const element of children) {
    if (!(element instanceof HTMLElement) || element.dataset['part'] === undefined) continue;
    const part = parts[element.dataset['part'] as keyof StoredDefinition];
    element.hidden = part === undefined;
    renderPart(element, presentLine(part?.text ?? '', name, reader), part?.shared !== false);
  }
  return getDefinitionStep(answer);
}

function renderPart(element: HTMLElement, text: string, isShared: boolean): void {
  const [onlyYou, body] = ['[data-only-you]', '[data-text]'].map((one) =>
    element.querySelector<HTMLElement>(one),
  );
  if (!onlyYou || !body) return;
  onlyYou.hidden = isShared;
  body.textContent = text;
  body.lang = detectTextLanguage(text, document.documentElement.lang) ?? '';
  if (body.lang === '') body.removeAttribute('lang');
}
