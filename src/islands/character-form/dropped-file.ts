import { useEffect, useRef } from 'react';

/**
 * Has every file that is dropped on a page given to `take`, but on a field of its own or a dialog; none replaces the
 * page.
 * @returns ends it
 */
export function catchDrops(page: EventTarget, take: (file: File) => void): () => void {
  const brings = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const onOver = (event: Event) => {
    if (brings(event as DragEvent)) event.preventDefault();
  };
  const onDrop = (event: Event) => {
    if (!brings(event as DragEvent)) return;
    event.preventDefault();
    const [file] = (event as DragEvent).dataTransfer?.files ?? [];
    if (file !== undefined && !(event.target as Element).closest('[data-drop], dialog')) take(file);
  };
  page.addEventListener('dragover', onOver);
  page.addEventListener('drop', onDrop);
  return () => {
    page.removeEventListener('dragover', onOver);
    page.removeEventListener('drop', onDrop);
  };
}

/** {@link catchDrops}, for as long as a view stands. */
export function useDroppedFile(take: (file: File) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => catchDrops(window, (file) => latest.current(file)), []);
}
