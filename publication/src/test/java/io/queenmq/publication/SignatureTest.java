package io.queenmq.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Date;
import java.util.Map;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.bcpg.SymmetricKeyAlgorithmTags;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPKeyPair;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPSecretKey;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.jcajce.JcaPGPObjectFactory;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentVerifierBuilderProvider;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPDigestCalculatorProviderBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPKeyPair;
import org.bouncycastle.openpgp.operator.jcajce.JcePBESecretKeyEncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The signatures of a release, with a key that exists for this test only. The bill of materials is published alone, because
 * it needs no compilation; the other libraries have the same configuration.
 */
class SignatureTest {
    private static final BouncyCastleProvider PROVIDER = new BouncyCastleProvider();
    private static final String PASSPHRASE = "throw-away";

    @TempDir
    private Path folder;

    @Test
    void aReleaseIsSignedIfAKeyIsConfigured() throws Exception {
        PGPSecretKey key = newKey();
        Path keyFile = folder.resolve("key.asc");
        try (OutputStream out = new ArmoredOutputStream(Files.newOutputStream(keyFile))) {
            key.encode(out);
        }
        Path project = Files.createDirectories(folder.resolve("project/bom"));
        Files.copy(Repository.ROOT.resolve("pom.xml"), project.resolveSibling("pom.xml"));
        Files.copy(Repository.ROOT.resolve("bom/pom.xml"), project.resolve("pom.xml"));
        Files.createDirectory(project.resolveSibling(".mvn"));

        Path target = folder.resolve("repository");
        Maven.run(project, Map.of("MAVEN_GPG_PASSPHRASE", PASSPHRASE), "-q", "-Prelease", "-Dspotless.check.skip",
                "-Dgpg.keyFilePath=" + keyFile, "-DaltDeploymentRepository=local::" + target.toUri(), "deploy");

        var published = new Repository(target).artifacts();
        assertThat(published).hasSize(1);
        Path pom = published.getFirst().file(".pom");
        assertThat(isSigned(pom, Path.of(pom + ".asc"), key.getPublicKey())).isTrue();
        Files.writeString(pom, Files.readString(pom) + " ");
        assertThat(isSigned(pom, Path.of(pom + ".asc"), key.getPublicKey())).isFalse();
    }

    private static PGPSecretKey newKey() throws GeneralSecurityException, PGPException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        PGPKeyPair pair = new JcaPGPKeyPair(4, PublicKeyAlgorithmTags.RSA_GENERAL, generator.generateKeyPair(),
                new Date());
        var digests = new JcaPGPDigestCalculatorProviderBuilder().setProvider(PROVIDER).build();
        return new PGPSecretKey(PGPSignature.DEFAULT_CERTIFICATION, pair, "Test <test@example.com>",
                digests.get(HashAlgorithmTags.SHA1), null, null,
                new JcaPGPContentSignerBuilder(PublicKeyAlgorithmTags.RSA_GENERAL, HashAlgorithmTags.SHA256),
                new JcePBESecretKeyEncryptorBuilder(SymmetricKeyAlgorithmTags.AES_128,
                        digests.get(HashAlgorithmTags.SHA1)).setProvider(PROVIDER).build(PASSPHRASE.toCharArray()));
    }

    private static boolean isSigned(Path file, Path signature, PGPPublicKey key) throws IOException, PGPException {
        try (var in = PGPUtil.getDecoderStream(Files.newInputStream(signature))) {
            var signatures = (PGPSignatureList) new JcaPGPObjectFactory(in).nextObject();
            PGPSignature first = signatures.get(0);
            first.init(new JcaPGPContentVerifierBuilderProvider().setProvider(PROVIDER), key);
            first.update(Files.readAllBytes(file));
            return first.verify();
        }
    }
}
