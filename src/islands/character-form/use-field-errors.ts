import { useStore } from '@nanostores/react';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { characterForm } from './character-form.ts';
import { type FieldName, type Trouble, troublesOf } from './form-rules.ts';
import { stoodBook } from './form-state.ts';
import { refusedSentence, troubleSentence } from './sentences.ts';

/** The state of the page's form, for views. */
export const useForm = () => useStore(characterForm.$form, { ssr: 'initial' });

/** Says of a field that it was not taken: by which rule of the house, where that is why. */
function useRefused(): (field: FieldName) => string {
  const { trouble } = useForm();
  const words = useWords('create');
  const errors = useWords('errors');
  const lang = useLang();
  const failure = trouble !== null && 'failure' in trouble ? trouble.failure : null;
  return (field) =>
    failure?.refused === undefined ? refusedSentence(field, words) : failureSentence(failure, errors, lang);
}

/** What is said while it is written: it is too much, and more would only have to be taken away again. */
const isSaidAtOnce = ({ code }: Trouble) => code === 'too_long' || code.startsWith('book_');

/** Everything that is wrong with a field now, in the reader's words; without an index, with the whole of it. */
export function useTroubles(field: FieldName): { index?: number; said: string }[] {
  const form = useForm();
  const words = useWords('create');
  const sayRefused = useRefused();
  const refused = form.refused.includes(field) ? [{ said: sayRefused(field) }] : [];
  const found = troublesOf(form.fields, stoodBook(form))
    .filter((trouble) => trouble.field === field && (form.tried || isSaidAtOnce(trouble)))
    .map((trouble) => ({
      ...(trouble.index === undefined ? {} : { index: trouble.index }),
      said: troubleSentence(trouble, words),
    }));
  return [...found, ...refused];
}

/**
 * What is wrong with a field now, in the reader's words; null when nothing is. What is too long is said at once, what is
 * missing only when it was tried to save.
 */
export function useWrong(): (field: FieldName, index?: number) => string | null {
  const form = useForm();
  const { tried, refused } = form;
  const words = useWords('create');
  const sayRefused = useRefused();
  const troubles = troublesOf(form.fields, stoodBook(form));
  return (field, index) => {
    const trouble = troubles.find((one) => one.field === field && one.index === index);
    if (trouble !== undefined && (tried || isSaidAtOnce(trouble))) return troubleSentence(trouble, words);
    return refused.includes(field) && index === undefined ? sayRefused(field) : null;
  };
}
