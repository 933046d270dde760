/** Finds an element of the shell by its data attribute. Throws if it is missing, because the layout must provide it. */
export function queryPart<E extends HTMLElement = HTMLElement>(name: string): E {
  const element = document.querySelector<E>(`[data-${name}]`);
  if (!element) throw new Error(`The shell has no ${name}`);
  return element;
}

/** Clones one of the shell's templates. */
export function cloneTemplate<E extends HTMLElement = HTMLElement>(
  name: 'group' | 'character' | 'chat' | 'toast',
): E {
  const template = queryPart<HTMLTemplateElement>(`template="${name}"`);
  return (template.content.cloneNode(true) as DocumentFragment).firstElementChild as E;
}

/** A translated text that only scripts show. */
export function getLabel(name: string): string {
  return queryPart(`template="words"`).getAttribute(`data-${name}`) ?? '';
}
