import type { RefObject } from 'react';

/** A hidden input for one file; a visible button clicks it. */
export function FileInput({
  ref,
  accept,
  label,
  onChoose,
}: {
  ref: RefObject<HTMLInputElement | null>;
  /** Extensions and media types, with commas between them. */
  accept: string;
  label: string;
  onChoose: (file: File) => void;
}) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      aria-label={label}
      className="sr-only"
      tabIndex={-1}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        if (file !== undefined) onChoose(file);
        // Reset the input so that choosing the same file again fires `change`.
        currentTarget.value = '';
      }}
    />
  );
}
