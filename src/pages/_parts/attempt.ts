/**
 * Runs a read that a page can live without. A failure is logged and becomes null, so that the page can say so
 * in its own words instead of ending as an error.
 */
export async function attempt<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    console.error('A page could not read its data', error);
    return null;
  }
}
