#include <gtest/gtest.h>

#include "mask/mask.h"

// Commands as people and agents type them, each with the same secret somewhere.

namespace grapnel {
namespace {

constexpr std::string_view kSecret = "Zq9xSecretValue1";

const char* const kMasked[] = {
    R"x(git clone https://oauth2:Zq9xSecretValue1@gitlab.example/a/b.git)x",
    R"x(git -c http.extraHeader="AUTHORIZATION: basic Zq9xSecretValue1" fetch)x",
    R"x(curl -H "X-Api-Key: Zq9xSecretValue1" https://api.example/v1)x",
    R"x(curl -H 'Private-Token:Zq9xSecretValue1' https://gitlab.example)x",
    R"x(curl -d '{"password":"Zq9xSecretValue1"}' https://h/login)x",
    R"x(curl -d 'user=me&password=Zq9xSecretValue1&x=1' https://h/login)x",
    R"x(curl "https://h/?sig=Zq9xSecretValue1&se=2026")x",
    R"x(curl -uadmin:Zq9xSecretValue1 https://h)x",
    R"x(wget --password=Zq9xSecretValue1 --user=me https://h)x",
    R"x(wget --header="Cookie: sid=Zq9xSecretValue1" https://h)x",
    R"x(PGPASSWORD=Zq9xSecretValue1 psql -h db)x",
    R"x(psql "host=db user=me password=Zq9xSecretValue1")x",
    R"x(mysql --password=Zq9xSecretValue1 -e 'x')x",
    R"x(MYSQL_PWD=Zq9xSecretValue1 mysql db)x",
    R"x(redis-cli -a Zq9xSecretValue1 ping)x",
    R"x(redis-cli -u redis://:Zq9xSecretValue1@h:6379 ping)x",
    R"x(docker login -u me --password Zq9xSecretValue1 r.example)x",
    R"x(aws configure set aws_secret_access_key Zq9xSecretValue1)x",
    R"x(AWS_SECRET_ACCESS_KEY='Zq9xSecretValue1' aws s3 ls)x",
    R"x(export GITHUB_TOKEN=Zq9xSecretValue1; gh pr list)x",
    R"x(kubectl create secret generic s --from-literal=password=Zq9xSecretValue1)x",
    R"x(helm install x --set db.password=Zq9xSecretValue1,foo=bar)x",
    R"x(vault write secret/x token=Zq9xSecretValue1)x",
    R"x(openssl enc -aes-256-cbc -k Zq9xSecretValue1 -in f)x",
    R"x(openssl enc -pass pass:Zq9xSecretValue1 -in f)x",
    R"x(ssh-keygen -N Zq9xSecretValue1 -f k)x",
    R"x(sshpass -pZq9xSecretValue1 ssh h)x",
    R"x(SSHPASS=Zq9xSecretValue1 sshpass -e ssh h)x",
    R"x(ansible-playbook -e "ansible_become_pass=Zq9xSecretValue1" p.yml)x",
    R"x(terraform apply -var="db_password=Zq9xSecretValue1")x",
    R"x(npm config set //registry.example/:_authToken Zq9xSecretValue1)x",
    R"x(npm config set //registry.example/:_authToken=Zq9xSecretValue1)x",
    R"x(pip install --index-url https://u:Zq9xSecretValue1@pypi.example/simple x)x",
    R"x(python -c "import os; os.environ['API_SECRET']='Zq9xSecretValue1'")x",
    R"x(node -e "fetch('https://h',{headers:{Authorization:'Bearer Zq9xSecretValue1'}})")x",
    R"x(sed -i 's/SECRET_KEY=.*/SECRET_KEY=Zq9xSecretValue1/' .env)x",
    "cat > .env <<EOF\nDB_PASSWORD=\"Zq9xSecretValue1\"\nEOF",
    R"x(smbclient //h/s -U me%Zq9xSecretValue1)x",
    R"x(rclone config create r s3 secret_access_key=Zq9xSecretValue1)x",
    R"x(mongosh "mongodb://me:Zq9xSecretValue1@h/db")x",
    R"x(mongosh -u me -p Zq9xSecretValue1 h)x",
    R"x(ftp -u ftp://me:Zq9xSecretValue1@h/f f)x",
    R"x(zip -e -P Zq9xSecretValue1 a.zip f)x",
    R"x(gpg --batch --passphrase Zq9xSecretValue1 -d f)x",
    R"x(stripe listen --api-key sk_test_Zq9xSecretValue1)x",
    R"x(az login --service-principal -u id -p Zq9xSecretValue1 --tenant t)x",
    R"x(twilio login --auth-token Zq9xSecretValue1)x",
    R"x(heroku config:set STRIPE_SECRET=Zq9xSecretValue1 -a app)x",
    R"x(fly secrets set DATABASE_URL=postgres://u:Zq9xSecretValue1@h/db)x",
    R"x(curl --oauth2-bearer Zq9xSecretValue1 https://h)x",
    R"x(curl -H "Authorization: token Zq9xSecretValue1" https://api.github.com)x",
    R"x(curl -H Authorization:Bearer\ Zq9xSecretValue1 https://h)x",
    R"x(curl --proxy http://me:Zq9xSecretValue1@proxy:3128 https://h)x",
    R"x(http POST h/login password=Zq9xSecretValue1)x",
    R"x(docker run -e API_TOKEN=Zq9xSecretValue1 image)x",
    R"x(docker build --build-arg NPM_TOKEN=Zq9xSecretValue1 .)x",
    R"x(docker run -e "POSTGRES_PASSWORD=Zq9xSecretValue1" postgres)x",
    R"x(kubectl config set-credentials me --token=Zq9xSecretValue1)x",
    R"x(kubectl --token Zq9xSecretValue1 get pods)x",
    R"x(sqlcmd -S h -U sa -P Zq9xSecretValue1)x",
    R"x(pg_dump "postgresql://me:Zq9xSecretValue1@h/db")x",
    R"x(gcloud sql users set-password root --password=Zq9xSecretValue1)x",
    R"x(az storage blob list --account-key Zq9xSecretValue1)x",
    R"x(azcopy cp a "https://x.blob.core.windows.net/c?sv=2020&sig=Zq9xSecretValue1")x",
    R"x(CREDENTIALS="me:Zq9xSecretValue1" ./deploy.sh)x",
    R"x(./deploy.sh --secret=Zq9xSecretValue1)x",
    R"x(./deploy.sh --client-secret Zq9xSecretValue1)x",
    R"x(git push https://ghp_Zq9xSecretValue1@github.com/a/b)x",
    R"x(echo 'secret: "Zq9xSecretValue1"' > config.yml)x",
    R"x(perl -e '$password = "Zq9xSecretValue1"; login($password)')x",
    R"x(python -c 'login(user="me", password="Zq9xSecretValue1")')x",
    R"x(node -e 'const apiKey = "Zq9xSecretValue1"')x",
    R"x(ruby -e 'Client.new(token: "Zq9xSecretValue1")')x",
    R"x(powershell -c '$env:API_KEY="Zq9xSecretValue1"')x",
    R"x(restic -r s3:x --password-command 'echo Zq9xSecretValue1' backup .)x",
    R"x(wp config create --dbpass=Zq9xSecretValue1)x",
    R"x(ldapsearch -x -D cn=a -w Zq9xSecretValue1 -b dc=x)x",
    R"x(unzip -PZq9xSecretValue1 a.zip)x",
    R"x(mariadb -uroot -pZq9xSecretValue1 db)x",
    R"x(curl -F 'file=@x' -F 'token=Zq9xSecretValue1' https://slack.example)x",
    R"x(xh -a me:Zq9xSecretValue1 https://h)x",
    R"x(curl -X POST -d "client_id=a&client_secret=Zq9xSecretValue1" https://h/token)x",
    R"x(ssh h "export DB_PASS=Zq9xSecretValue1; ./run")x",
    R"x(echo "aws_secret_access_key = Zq9xSecretValue1" >> ~/.aws/credentials)x",
    R"x(kubectl create secret docker-registry r --docker-password=Zq9xSecretValue1)x",
    R"x(mysql -h h -u root --password='Zq9xSecretValue1' db)x",
    R"x(git config --global http.proxy http://u:Zq9xSecretValue1@p:1)x",
    R"x(psql postgres://u:Zq9xSecretValue1@localhost/db -c 'select 1')x",
    R"x(NODE_AUTH_TOKEN=Zq9xSecretValue1 npm publish)x",
    R"x(openssl pkcs12 -export -passout pass:Zq9xSecretValue1 -out f)x",
    R"x(curl -H "X-Amz-Security-Token: Zq9xSecretValue1" https://h)x",
    R"x(rails runner 'User.first.update(password: "Zq9xSecretValue1")')x",
    R"x(export OPENAI_API_KEY="Zq9xSecretValue1")x",
    R"x(git remote set-url origin https://Zq9xSecretValue1@github.com/a/b)x",
    R"x(echo Zq9xSecretValue1 | docker login --password-stdin)x",
    R"x(gh auth login --with-token <<< Zq9xSecretValue1)x",
    R"x(htpasswd -b f user Zq9xSecretValue1)x",
    R"x(echo "machine github.com login me password Zq9xSecretValue1" >> ~/.netrc)x",
    R"x(jq -n --arg api_key Zq9xSecretValue1 '$api_key')x",
    R"x(gpg --passphrase-fd 0 <<< Zq9xSecretValue1)x",
    R"x(rabbitmqctl add_user me Zq9xSecretValue1)x",
    R"x(docker secret create s - <<< "Zq9xSecretValue1")x",
    R"x(gh secret set NAME --body Zq9xSecretValue1)x",
    R"x(flyctl auth token Zq9xSecretValue1)x",
    R"x(curl https://api.telegram.org/bot123456:Zq9xSecretValue1/sendMessage)x",
    R"x(cargo login Zq9xSecretValue1)x",
    R"x(twine upload -u __token__ -p Zq9xSecretValue1 dist/*)x",
    R"x(sops --set '["password"] "Zq9xSecretValue1"' f.yaml)x",
    R"x(nmcli dev wifi connect home password Zq9xSecretValue1)x",
};

/// Nothing in front of these secrets tells that they are some. They show the limits: a mask that found them would hide
/// ordinary words, too.
const char* const kNotRecognised[] = {
    "printf 'password: %s\n' Zq9xSecretValue1",
};

TEST(MaskCommands, NoSecretStays) {
  for (const char* command : kMasked) {
    const std::string masked = Mask().apply(command);
    EXPECT_FALSE(masked.contains(kSecret)) << masked;
    EXPECT_TRUE(masked.contains("***")) << masked;
  }
}

TEST(MaskCommands, LimitsAreKnown) {
  for (const char* command : kNotRecognised) {
    EXPECT_TRUE(Mask().apply(command).contains(kSecret)) << "now recognised, move it up: " << command;
  }
}

}  // namespace
}  // namespace grapnel
