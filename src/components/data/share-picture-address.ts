/** The preview picture of a shared page. */
export interface SharePicture {
  /** Path on this site. */
  path: string;
  type: string;
  /** Actual size in pixels. */
  width: number;
  height: number;
  /** Alternative text. */
  alt?: string;
}

/** Preview picture of pages without their own. */
export const SITE_PICTURE: SharePicture = {
  path: '/icons/share.png',
  type: 'image/png',
  width: 1200,
  height: 1200,
};
