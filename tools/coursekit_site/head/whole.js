
// A file of the site comes whole, or once more past all that is kept of it, or an error names it and says what came
// instead: in pages, in their worker, in the lab and in its kernel. take: makes of an answer what is wanted, and fails
// where that is damaged. again: is told before the second request.
{
  const asked = globalThis.fetch;
  globalThis.whole = async (place, take, { caches = ["default", "reload"], again = () => {}, ...options } = {}) => {
    const { href, pathname } = new URL(place);
    const missing = `did not load${options.integrity ? " as it was built" : ""}`; // a browser does not say which
    const lacks = (what) => (error) => { // what a browser does not know is no fault of the file
      throw error instanceof ReferenceError ? error : new Error(error.told ?? `${pathname} ${what}`);
    };
    for (const cache of caches) try {
      const answer = await asked(href, { ...options, cache }).catch(lacks(missing));
      if (!answer.ok) throw new Error(`the server answers ${answer.status} for ${pathname}`);
      const type = answer.headers.get("content-type");
      if (/html/.test(type)) throw new Error(`the server sends a page in place of ${pathname}`);
      return await take(answer, type).catch(lacks("is not as it was built"));
    } catch (error) {
      if (cache === caches.at(-1)) throw error;
      console.info(error.message);
      again();
    }
  };
}
