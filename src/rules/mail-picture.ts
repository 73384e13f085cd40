// The picture of an e-mail: HTML with the text of the message, and the picture as another part of
// the same e-mail, so that nothing is fetched when the e-mail is read.
import type { GroupMessage } from './alert-message.ts';
import { mailText } from './mail-message.ts';

/** Fields of a composed e-mail. */
interface PicturedMail {
  readonly html: string;
  readonly attachments: readonly object[];
}

/** Width of the picture in CSS pixels. The image has two pixels per CSS pixel. */
const widthCss = 1_000;

/**
 * Returns the HTML of a message with its picture; undefined for a message without a picture.
 * `domain` is the domain of the sender.
 */
export function mailPicture(message: GroupMessage, domain: string): PicturedMail | undefined {
  const { picture } = message;
  if (picture === undefined) return undefined;
  const [counts, ...alerts] = mailText(message).text.trimEnd().split('\n\n');
  const cid = `picture@${domain}`;
  const image = `<img src="cid:${cid}" width="${widthCss}" style="max-width:100%;height:auto" alt="${imageText}">`;
  const paragraphs = [escapeHtml(counts), image, ...alerts.map(toHtml)];
  return {
    html: `<html><body style="font-family:sans-serif">${paragraphs.map((one) => `<p>${one}</p>`).join('\n')}</body></html>\n`,
    attachments: [
      {
        filename: 'flame-graph.png',
        content: Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength),
        contentType: 'image/png',
        contentDisposition: 'inline',
        cid,
      },
    ],
  };
}

/** Text for readers that show no pictures. */
const imageText = 'Flame graph of what changed';

/** Returns a paragraph; a line that is an address becomes a link. */
function toHtml(paragraph: string): string {
  const lines = paragraph.split('\n').map((line) => {
    const [, before = '', url] = /^(All alerts: )?(https?:\/\/\S+)$/.exec(line) ?? [];
    if (url === undefined) return escapeHtml(line);
    const shown = escapeHtml(url);
    return `${before}<a href="${shown}">${shown}</a>`;
  });
  return lines.join('<br>\n');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
