/** An element of the shell by its data attribute; the layout and these scripts are one thing in two files. */
export function part<E extends HTMLElement = HTMLElement>(name: string): E {
  const element = document.querySelector<E>(`[data-${name}]`);
  if (!element) throw new Error(`The shell has no ${name}`);
  return element;
}

/** A fresh copy of one of the shell's templates. */
export function fresh<E extends HTMLElement = HTMLElement>(name: 'group' | 'chat' | 'toast'): E {
  const template = part<HTMLTemplateElement>(`template="${name}"`);
  return (template.content.cloneNode(true) as DocumentFragment).firstElementChild as E;
}

/** A word of the page's language that only scripts show. */
export function word(name: string): string {
  return part(`template="words"`).getAttribute(`data-${name}`) ?? '';
}
