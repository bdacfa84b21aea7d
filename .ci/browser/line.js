// A line between browsers and the server that can be cut: at any moment, or just when a move is on its way.
import { connect, createServer } from 'node:net';

const move = /^POST \/(api\/v1\/)?games\/[^/ ]+\/moves? /;

// lay starts a TCP proxy in front of a server. cut() ends every connection and refuses new ones until mend(). trap() cuts
// the line at the next move that is sent: "request" before anything of it arrives, "half" in its middle, "answer" when
// the server has taken it and answers; sprung is true from then on.
export async function lay(origin) {
  const port = Number(new URL(origin).port);
  const open = new Set();
  const line = { url: '', sprung: false };
  let down = false;
  let trap = '';
  line.cut = () => {
    down = true;
    for (const socket of open) socket.destroy();
  };
  line.mend = () => {
    down = false;
    trap = '';
  };
  line.trap = (where) => {
    trap = where;
    line.sprung = false;
  };
  const spring = () => {
    trap = '';
    line.sprung = true;
    line.cut();
  };
  const server = createServer((near) => {
    if (down) return near.destroy();
    const far = connect(port, '127.0.0.1');
    let answering = false; // the next bytes from the server are the answer to a trapped move
    for (const [one, other] of [[near, far], [far, near]]) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.on('data', (chunk) => {
      if (down) return;
      const trapped = trap && move.test(chunk.toString('latin1'));
      if (trapped && trap === 'request') return spring();
      if (trapped && trap === 'half') {
        far.write(chunk.subarray(0, chunk.length >> 1), spring);
        return;
      }
      if (trapped) answering = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (answering) return spring();
      near.write(chunk);
    });
  });
  line.stop = () => {
    line.cut();
    return new Promise((resolve) => server.close(resolve));
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  line.url = `http://127.0.0.1:${server.address().port}`;
  return line;
}
