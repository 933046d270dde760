/**
 * The character's picture next to a message. It is in every page and hidden unless this device shows it (chat.css), so that
 * the page's HTML is right before its script runs; the browser does not load a hidden picture.
 */
export function Portrait({ url }: { url: string | undefined }) {
  return url === undefined ? null : (
    <img
      src={url}
      alt=""
      width="36"
      height="48"
      loading="lazy"
      className="chat-portrait absolute start-0 h-12 w-9 rounded-sm bg-surface-2 object-cover"
    />
  );
}
