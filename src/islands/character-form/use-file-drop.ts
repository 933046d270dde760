import { useEffect, useRef } from 'react';

/**
 * Passes files dropped on the page to `onFile`, except over a dialog or a field with its own drop handling. Prevents
 * the browser from opening a dropped file.
 * @returns removes the listeners
 */
export function handleFileDrops(page: EventTarget, onFile: (file: File) => void): () => void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const onOver = (event: Event) => {
    if (hasFiles(event as DragEvent)) event.preventDefault();
  };
  const onDrop = (event: Event) => {
    if (!hasFiles(event as DragEvent)) return;
    event.preventDefault();
    const [file] = (event as DragEvent).dataTransfer?.files ?? [];
    if (file !== undefined && !(event.target as Element).closest('[data-drop], dialog')) onFile(file);
  };
  page.addEventListener('dragover', onOver);
  page.addEventListener('drop', onDrop);
  return () => {
    page.removeEventListener('dragover', onOver);
    page.removeEventListener('drop', onDrop);
  };
}

/** {@link handleFileDrops} while a component is mounted. */
export function useFileDrop(onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  });
  useEffect(() => handleFileDrops(window, (file) => latest.current(file)), []);
}
