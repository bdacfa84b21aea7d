package api

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// sealReply encrypts the body of an answer with AES-256-GCM, under a key that HKDF-SHA256 derives from the
// Idempotency-Key of its request. The store holds a digest of the Idempotency-Key under another label, so that reading
// the body from the database takes guessing the key, and the documentation has clients choose it at random.
func sealReply(body []byte, sent string) ([]byte, error) {
	aead, err := replyCipher(sent)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, body, nil), nil
}

// openReply returns a body that [sealReply] encrypted under the same Idempotency-Key.
func openReply(sealed []byte, sent string) ([]byte, error) {
	aead, err := replyCipher(sent)
	if err != nil {
		return nil, err
	}
	body, err := aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("a stored answer cannot be decrypted: %w", err)
	}
	return body, nil
}

// replyCipher returns the cipher of an Idempotency-Key. It puts a random nonce before the ciphertext.
func replyCipher(sent string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(sent), nil, "quatuor stored reply", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
