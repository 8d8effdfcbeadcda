export interface ImageSize {
  width: number;
  height: number;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Markers of JPEG with the size of the image: all kinds of frames, not the tables among them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** How large a PNG, GIF or JPEG is, by the beginning of it; null for what is none. */
export function imageSize(data: Buffer): ImageSize | null {
  if (data.length >= 24 && data.subarray(0, 8).equals(PNG)) {
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.length >= 10 && /^GIF8[79]a$/.test(data.toString('latin1', 0, 6))) {
    return { width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
  }
  return data.length >= 4 && data.readUInt16BE(0) === 0xffd8 ? jpegSize(data) : null;
}

/** Goes from segment to segment; each says how long it is. */
function jpegSize(data: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff;) {
    if (isFrame(data[at + 1]!)) {
      return { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    }
    at += 2 + Math.max(2, data.readUInt16BE(at + 2));
  }
  return null;
}
