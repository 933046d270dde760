/** A small portrait. Its alternative text is empty, because the row has the name. */
export function RowPortrait({ url }: { url: string }) {
  return (
    <img
      src={url}
      alt=""
      width="36"
      height="48"
      loading="lazy"
      className="h-12 w-9 shrink-0 rounded-sm bg-surface-2 object-cover"
    />
  );
}
