/** Who a conversation is with, small: its row has the name. */
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
